"""Stand-ins of SMF's programs and of the kernel SSL proxy's, which is a service of SMF's."""
