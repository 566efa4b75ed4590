"""Tests of the views of the page: layout, languages, accessibility."""
