"""Tests of model providers."""
