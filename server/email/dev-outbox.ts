/**
 * Collects e-mails and text messages outside production while no mail server or gateway is configured, so that recovery,
 * verification and sign-in codes work out of the box.
 */

export type DevOutboxEntry = {
  to: string
  subject: string
  text: string
  kind: string
  /** Of an e-mail, besides the usual ones. */
  headers?: Record<string, string>
}

/** `entries` has the newest last. */
export type DevMessageOutbox = { put(entry: DevOutboxEntry): void; entries(): readonly DevOutboxEntry[] }

/** The oldest go beyond this, because nobody empties the outbox. */
const maxEntries = 500

export function createDevOutbox(): DevMessageOutbox {
  const entries: DevOutboxEntry[] = []
  return {
    put(entry) {
      entries.push(entry)
      if (entries.length > maxEntries) entries.shift()
    },
    entries: () => entries,
  }
}
