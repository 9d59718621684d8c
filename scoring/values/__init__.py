"""What a text means in its column: locales, numbers, dates, footnotes."""
