"""The Solaris driver: logical domains, crypto units, the Cryptographic Framework."""
