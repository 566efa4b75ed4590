"""Everything that changes something, by topic: one `input` in, a payload or a typed error out."""
