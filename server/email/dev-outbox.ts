/**
 * Collects emails and text messages outside production if no mail server or gateway is configured, so that
 * recovery and codes work in development.
 */

export type DevOutboxEntry = {
  to: string
  subject: string
  text: string
  kind: string
  headers?: Record<string, string>
}

/** `entries` ends with the newest. */
export type DevMessageOutbox = { put(entry: DevOutboxEntry): void; entries(): readonly DevOutboxEntry[] }

/** Above this, the oldest are dropped. */
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
