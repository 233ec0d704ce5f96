/** Caps an answer at two megabytes, however much hangs on its documents. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SerializedDocument } from './field-definitions.ts'

const maxBytes = 2_000_000

/** How many entries nested lists may have, hop by hop, while the answer is too large: from the inside out. */
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
 * Writes the answer as JSON, its nested lists shortened until it fits; the true totals beside them stay. Yields to the
 * event loop between two tries, each of which writes megabytes.
 * @param documents inside `answer`
 * @param reader public id of the caller, whose own entry in a list stays, because clients look for it
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
