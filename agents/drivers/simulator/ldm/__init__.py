"""The stand-in of ldm."""
