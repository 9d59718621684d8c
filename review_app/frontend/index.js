/** Streamlit's way in: mounts the review once per element and passes on changes of the data. */

import { createReview } from "./review.js";

const mounted = new WeakMap();

/** Called by Streamlit at the first drawing and on each change of `data`; the result is called when it unmounts. */
export default function mount({ data, parentElement, setTriggerValue }) {
  let review = mounted.get(parentElement);
  if (!review) {
    const host = parentElement.querySelector(".proofgrid") ?? parentElement;
    review = createReview(host, data, (gold) => setTriggerValue("leave", { gold }));
    mounted.set(parentElement, review);
    host.prepend(...["review.css", "panels.css", "page.css", "editing.css", "aside.css"].map((name) => {
      const style = document.createElement("link");
      return Object.assign(style, { rel: "stylesheet", href: new URL(name, import.meta.url).href, onload: review.styled });
    }));
  }
  review.update(data);
  return () => {
    mounted.get(parentElement)?.close();
    mounted.delete(parentElement);
  };
}
