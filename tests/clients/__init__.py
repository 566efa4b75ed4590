"""GraphQL clients that others wrote in; what each gets from the running server out."""
