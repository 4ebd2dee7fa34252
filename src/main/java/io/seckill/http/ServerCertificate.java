package io.seckill.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A certificate with which a server shows who it is, with those between it and one that clients
 * trust, and its key.
 */
record ServerCertificate(List<Certificate> chain, PrivateKey key) {
  private static final Pattern PEM_KEY =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----([^-]+)-----END");
  private static final String PKCS8 = "PRIVATE KEY";

  /** Of keys, and how each signs. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  /**
   * Reads two PEM files.
   *
   * @throws IOException when a file cannot be read
   * @throws GeneralSecurityException when they hold no certificate, no key in PKCS#8, or when the
   *     two do not belong together
   */
  static ServerCertificate ofPem(Path certificates, Path key)
      throws IOException, GeneralSecurityException {
    byte[] chain = Files.readAllBytes(certificates);
    return paired(
        List.copyOf(
            CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(chain))),
        key(Files.readString(key, StandardCharsets.ISO_8859_1)));
  }

  private static PrivateKey key(String pem) throws GeneralSecurityException {
    Matcher matcher = PEM_KEY.matcher(pem);
    if (!matcher.find() || !matcher.group(1).equals(PKCS8)) {
      throw new InvalidKeySpecException(
          "the key must begin with BEGIN PRIVATE KEY; openssl pkcs8 -topk8 -nocrypt makes it so");
    }
    PKCS8EncodedKeySpec encoded;
    try {
      encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(2)));
    } catch (IllegalArgumentException e) {
      throw new InvalidKeySpecException("the key is not written in Base64", e);
    }
    for (String algorithm : SIGNATURES.keySet()) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException anotherAlgorithm) {
        continue;
      }
    }
    throw new InvalidKeySpecException("the key is none of " + SIGNATURES.keySet());
  }

  /**
   * Reads a key store, PKCS12 or JKS.
   *
   * @param password of the store and of the key
   * @throws IOException when the file cannot be read, or not with this password
   * @throws GeneralSecurityException when there is not exactly one key in it
   */
  static ServerCertificate ofStore(Path file, String password)
      throws IOException, GeneralSecurityException {
    char[] characters = password.toCharArray();
    KeyStore store = KeyStore.getInstance(file.toFile(), characters);
    List<String> keys = Collections.list(store.aliases());
    for (String alias : List.copyOf(keys)) {
      if (!store.isKeyEntry(alias)) {
        keys.remove(alias);
      }
    }
    if (keys.size() != 1) {
      throw new KeyStoreException("there must be one key in it, not " + keys.size());
    }
    return paired(
        Arrays.asList(store.getCertificateChain(keys.get(0))),
        (PrivateKey) store.getKey(keys.get(0), characters));
  }

  /** A certificate that is being renewed may be there before its key. */
  private static ServerCertificate paired(List<? extends Certificate> chain, PrivateKey key)
      throws GeneralSecurityException {
    if (chain.isEmpty()) {
      throw new CertificateException("there is no certificate in it");
    }
    byte[] text = new byte[32];
    Signature signature = Signature.getInstance(SIGNATURES.get(key.getAlgorithm()));
    signature.initSign(key);
    signature.update(text);
    byte[] signed = signature.sign();
    PublicKey shown = chain.get(0).getPublicKey();
    if (shown.getAlgorithm().equals(key.getAlgorithm())) {
      signature.initVerify(shown);
      signature.update(text);
      if (signature.verify(signed)) {
        return new ServerCertificate(List.copyOf(chain), key);
      }
    }
    throw new CertificateException("the key is not that of the certificate");
  }

  /** A key store in memory that holds nothing else. */
  KeyStore store(String password) throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException nothingIsRead) {
      throw new KeyStoreException(nothingIsRead);
    }
    store.setKeyEntry("server", key, password.toCharArray(), chain.toArray(Certificate[]::new));
    return store;
  }
}
