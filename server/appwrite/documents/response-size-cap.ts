import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SerializedDocument } from './field-definitions.ts'

const maxBytes = 2_000_000

/** Lengths of nested lists to try in turn: [outer, inner]. */
const listCapSteps = [
  [100, 3],
  [100, 0],
  [50, 0],
  [25, 0],
  [10, 0],
  [3, 0],
  [0, 0],
] as const

/**
 * Shortens nested lists until the response fits, except the reader's own entries. Other requests run between
 * attempts, because each serialises megabytes.
 * @param reader the caller's public id
 */
export async function capResponseSize(
  answer: unknown,
  documents: readonly SerializedDocument[],
  reader: string,
): Promise<string> {
  let json = JSON.stringify(answer)
  for (const step of listCapSteps) {
    if (Buffer.byteLength(json) <= maxBytes) break
    await nextTurn()
    for (const document of documents) shorten(document, step, reader)
    json = JSON.stringify(answer)
  }
  return json
}

function shorten(
  document: SerializedDocument,
  [cap, ...deeperCaps]: readonly number[],
  reader: string,
): void {
  for (const [name, value] of Object.entries(document)) {
    if (isDocument(value)) shorten(value, deeperCaps, reader)
    else if (Array.isArray(value) && value.every(isDocument)) {
      const kept = value.filter((entry, index) => index < (cap ?? 0) || entry.$id === reader)
      for (const entry of kept) shorten(entry, deeperCaps, reader)
      document[name] = kept
    }
  }
}

const isDocument = (value: unknown): value is SerializedDocument =>
  typeof value === 'object' && value !== null && '$id' in value
