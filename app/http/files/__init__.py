"""Send files: those of the page and the playground, and the originals of documents."""
