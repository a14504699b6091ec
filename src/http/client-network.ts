import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/**
 * The key by which a client is counted: an IPv4 address itself, an IPv6 address's /64, which is one subscriber's.
 * Unreadable addresses are counted together.
 */
export const clientNetwork = (address: Option.Option<string>): string =>
  Option.match(address, {
    onNone: () => "unknown",
    onSome: (text) =>
      Result.match(NetAddress.ipFromString(text.replace(/%.*$/, "")), {
        onFailure: () => "unknown",
        onSuccess: (parsed) => {
          const ip = NetAddress.toCanonical(parsed)
          return NetAddress.isIpv4Address(ip)
            ? NetAddress.formatIp(ip)
            : IpNetwork.format(IpNetwork.fromAddressUnsafe(ip, 64))
        }
      })
  })
