"""Stand-ins of programs that only tell: kstat, psrinfo, isainfo, pktool, uname …"""
