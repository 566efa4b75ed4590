"""Tests of what each format holds beside plain paragraphs."""
