import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/**
 * What a client is counted by: an IPv4 address as it is, an IPv6 address by its /64, which is what one subscriber has.
 * Addresses that cannot be read are counted together.
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
