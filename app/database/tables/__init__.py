"""Tables, by what they are about; `models` exports all of them."""
