"""Notifications between writers and readers, within a process and between the processes of one machine."""
