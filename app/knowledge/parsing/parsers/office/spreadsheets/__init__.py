"""Parse spreadsheets, with the formats of their cells."""
