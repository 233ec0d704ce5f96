import { useRef } from 'react'
import { isTaken, newId } from './ids.ts'

type Ways<Answer> = {
  /** Stores it under this id. */
  store: (id: string) => Promise<Answer>
  find: (id: string) => Promise<Answer>
}

/**
 * Stores what a form holds once, however often it is sent: the same words and picture keep their id until something of them
 * changes. When the id turns out to be taken, it was stored before and the answer was lost on its way.
 */
export function useStoredOnce() {
  const last = useRef<{ words: string; picture: unknown; id: string }>(undefined)

  return async function storedOnce<Answer>(
    words: object,
    picture: unknown,
    ways: Ways<Answer>,
  ): Promise<Answer> {
    const now = { words: JSON.stringify(words), picture, id: newId() }
    const before = last.current
    const { id } = before?.words === now.words && before.picture === picture ? before : now
    last.current = { ...now, id }
    try {
      return await ways.store(id)
    } catch (error) {
      if (!isTaken(error)) throw error
      return ways.find(id)
    }
  }
}
