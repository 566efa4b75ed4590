"""Drawings in office files: charts, diagrams and the text of shapes."""
