"""The events of questions and answers, for other programs."""
