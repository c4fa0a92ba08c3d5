"""Claiming and carrying out work: lanes, runs, scans, reports and the doorbell's Celery worker."""
