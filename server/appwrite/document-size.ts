/** The bound of an answer (reading D-04): however much hangs on the documents, it stays under two megabytes. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Document } from './document-reading.ts'

const mostBytes = 2_000_000

/** How long nested lists may be, hop by hop, when the answer is too large: from the inside out. */
const steps = [
  [100, 3],
  [100, 0],
  [50, 0],
  [25, 0],
  [10, 0],
  [3, 0],
  [0, 0],
] as const

/**
 * The answer as JSON, its nested lists shortened until it fits; the true numbers beside them stay. Others have a turn between
 * two tries, each of which writes megabytes.
 * @param documents inside `answer`
 * @param reader her public id: her own entry in a list stays, because clients look for it
 */
export async function fittingJson(
  answer: unknown,
  documents: readonly Document[],
  reader: string,
): Promise<string> {
  let json = JSON.stringify(answer)
  for (const step of steps) {
    if (Buffer.byteLength(json) <= mostBytes) break
    await nextTurn()
    for (const document of documents) shorten(document, step, reader)
    json = JSON.stringify(answer)
  }
  return json
}

function shorten(document: Document, [most, ...beyond]: readonly number[], reader: string): void {
  for (const [name, value] of Object.entries(document)) {
    if (isDocument(value)) shorten(value, beyond, reader)
    else if (Array.isArray(value) && value.every(isDocument)) {
      const kept = value.filter((entry, place) => place < (most ?? 0) || entry.$id === reader)
      for (const entry of kept) shorten(entry, beyond, reader)
      document[name] = kept
    }
  }
}

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && '$id' in value
