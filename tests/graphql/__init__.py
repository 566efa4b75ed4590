"""The GraphQL API from outside: operations over real connections."""
