import ipaddr from "ipaddr.js"

/**
 * Whether an IP address is one of the public Internet: unicast, and neither loopback, link-local (where clouds keep their
 * metadata), private (RFC 1918, RFC 4193), carrier-grade NAT (RFC 6598), multicast, reserved nor a tunnel. An IPv4 address
 * written as IPv6 counts as the IPv4 address that it is.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast"
