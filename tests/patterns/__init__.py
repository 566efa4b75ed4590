"""Regular expression safety: collect every pattern of the product, attack it, and count its steps."""
