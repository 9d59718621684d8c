"""What Streamlit runs for each page view."""

# A worker process that the server starts runs this file too, under another name, and has no screens to show.
if __name__ == "__main__":
    from review_app import screens

    screens.show()
