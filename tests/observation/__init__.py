"""Tests of metrics, traces and logs."""
