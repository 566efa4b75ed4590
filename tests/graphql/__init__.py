"""The GraphQL door, from outside: operations over real connections."""
