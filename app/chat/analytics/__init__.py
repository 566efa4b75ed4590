"""What other programs are told of questions and answers."""
