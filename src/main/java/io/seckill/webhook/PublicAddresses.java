package io.seckill.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * Tells addresses of the public internet from all others: loopback, private, shared (CGNAT),
 * link-local (with the metadata services of clouds), unique-local, multicast, reserved,
 * unspecified, those for documents and tests, and IPv6 addresses that lead on to an IPv4 address.
 * By the special-purpose registries of IANA (RFC 6890).
 */
final class PublicAddresses {
  /** A range: its first bytes, and how many bits of them count. */
  private record Range(int bits, int... bytes) {
    boolean contains(byte[] address) {
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % Byte.SIZE);
        int at = bit / Byte.SIZE;
        if ((address[at] & mask) != (bytes[at] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private static final List<Range> NOT_PUBLIC_4 =
      List.of(
          new Range(8, 0),
          new Range(8, 10),
          new Range(10, 100, 64),
          new Range(8, 127),
          new Range(16, 169, 254),
          new Range(12, 172, 16),
          new Range(24, 192, 0, 0),
          new Range(24, 192, 0, 2),
          new Range(24, 192, 88, 99),
          new Range(16, 192, 168),
          new Range(15, 198, 18),
          new Range(24, 198, 51, 100),
          new Range(24, 203, 0, 113),
          new Range(3, 224));

  /** Addresses of single hosts in the internet; all else of IPv6 is not public. */
  private static final Range GLOBAL_6 = new Range(3, 0x20);

  private static final List<Range> NOT_PUBLIC_6 =
      List.of(
          // Teredo and other protocols
          new Range(23, 0x20, 0x01, 0x00),
          new Range(32, 0x20, 0x01, 0x0d, 0xb8),
          // 6to4
          new Range(16, 0x20, 0x02),
          new Range(20, 0x3f, 0xff, 0x00));

  private PublicAddresses() {}

  /** Java has made an IPv4 address of an IPv6 address that maps one. */
  static boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    return address instanceof Inet4Address
        ? NOT_PUBLIC_4.stream().noneMatch(range -> range.contains(bytes))
        : GLOBAL_6.contains(bytes)
            && NOT_PUBLIC_6.stream().noneMatch(range -> range.contains(bytes));
  }
}
