/** Shows recovery links and codes outside production, if there is no mail server or gateway. */

export type DevOutboxEntry = {
  to: string
  subject: string
  text: string
  kind: string
  headers?: Record<string, string>
}

export type DevMessageOutbox = { put(entry: DevOutboxEntry): void; entries(): readonly DevOutboxEntry[] }

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
