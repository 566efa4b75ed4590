"""Choose rows of tables: the one that a question names, or those that meet its conditions. Pure."""
