"""The stand-in of cryptoadm."""
