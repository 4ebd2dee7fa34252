package io.seckill.webhook;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Judges the addresses of endpoints, so that nobody makes this node call what only this node can
 * reach (server-side request forgery). A name is resolved once; whoever sends connects to the
 * addresses that were judged, so a name that means another address a moment later changes nothing.
 */
public final class Targets {
  private static final int MAX_LENGTH = 2_048;
  private static final int HIGHEST_PORT = 65_535;

  private final boolean httpAllowed;
  private final boolean privateAllowed;
  private final Resolver resolver;

  /** Finds the addresses of a host. */
  @FunctionalInterface
  interface Resolver {
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  /**
   * @param httpAllowed whether http is allowed beside https
   * @param privateAllowed whether addresses outside the public internet are allowed
   */
  public Targets(boolean httpAllowed, boolean privateAllowed) {
    this(httpAllowed, privateAllowed, InetAddress::getAllByName);
  }

  Targets(boolean httpAllowed, boolean privateAllowed, Resolver resolver) {
    this.httpAllowed = httpAllowed;
    this.privateAllowed = privateAllowed;
    this.resolver = resolver;
  }

  /**
   * Parses and resolves an address. May wait for a name server.
   *
   * @throws ForbiddenTargetException when it is no address of HTTP, or one that may not be called
   * @throws UnknownHostException when its host has no address now
   */
  Target judge(String url) throws ForbiddenTargetException, UnknownHostException {
    Target target = new Target(parse(url), List.of());
    List<InetAddress> addresses = List.of(resolver.resolve(target.host()));
    if (!privateAllowed && !addresses.stream().allMatch(PublicAddresses::contains)) {
      throw new ForbiddenTargetException(
          "The host has an address that is not of the public internet.");
    }
    return new Target(target.uri(), addresses);
  }

  private URI parse(String url) throws ForbiddenTargetException {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      throw new ForbiddenTargetException("It is no URL.");
    }
    String scheme = uri.getScheme();
    if (!"https".equalsIgnoreCase(scheme) && !(httpAllowed && "http".equalsIgnoreCase(scheme))) {
      throw new ForbiddenTargetException("The scheme must be https.");
    }
    if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > HIGHEST_PORT) {
      throw new ForbiddenTargetException("It names no host, or a port that cannot be.");
    }
    if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw new ForbiddenTargetException("It must not hold a user, a password or a fragment.");
    }
    if (url.length() > MAX_LENGTH || !url.chars().allMatch(sign -> sign < 0x7f)) {
      throw new ForbiddenTargetException(
          "It must have " + MAX_LENGTH + " characters at most, all of ASCII.");
    }
    return uri;
  }
}
