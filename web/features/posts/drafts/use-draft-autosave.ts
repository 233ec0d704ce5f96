import { useEffect, useMemo, useRef } from 'react'
import type { PostFormDraft } from '../form/post-form-schema.ts'
import { postDraftLockName } from './post-draft-database.ts'
import type { PostDraftStore, WaitingPost } from './post-draft-store.ts'

/** The longest wait before a save, and the shortest time between two (ms). */
const saveDelayMs = 500

export type DraftAutosave = ReturnType<typeof createDraftAutosave>

export function useDraftAutosave(store: PostDraftStore, id: string): DraftAutosave {
  const autosave = useMemo(() => createDraftAutosave(store, id), [store, id])
  const latest = useRef(autosave)
  latest.current = autosave
  useEffect(() => {
    const hide = () => document.visibilityState === 'hidden' && void latest.current.flush()
    document.addEventListener('visibilitychange', hide)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      void latest.current.flush()
    }
  }, [])
  useEffect(() => {
    const closed = Promise.withResolvers<void>()
    void navigator.locks?.request(postDraftLockName(id), () => closed.promise)
    return closed.resolve
  }, [id])
  return autosave
}

function createDraftAutosave(store: PostDraftStore, id: string) {
  let content: PostFormDraft | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  let isStored = false
  /** A slow earlier write must not overwrite a later one. */
  let writing: Promise<unknown> = Promise.resolve()
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const done = writing.then(work)
    writing = done.catch(() => {})
    return done
  }

  async function flush(putAway = false): Promise<boolean> {
    clearTimeout(timer)
    const pending = timer !== undefined
    timer = undefined
    const words = content
    if (over || !words || !(pending || putAway)) return false
    isStored = true
    return inTurn(() => store.write(id, words, putAway))
  }

  return {
    change(next: PostFormDraft | null) {
      if (over) return
      content = next ?? undefined
      if (next) timer ??= setTimeout(() => void flush(), saveDelayMs)
      else if (isStored) {
        isStored = false
        void inTurn(() => store.remove(id))
      }
    },
    flush,
    async putAway(): Promise<boolean> {
      const stored = await flush(true)
      over = stored
      return stored
    },
    /** @returns whether the text and all photos were stored */
    async wait(waiting: WaitingPost): Promise<boolean> {
      await flush(true)
      over = await inTurn(() => store.setWaiting(id, waiting))
      return over
    },
    async discard(): Promise<void> {
      over = true
      clearTimeout(timer)
      await inTurn(() => store.remove(id))
    },
  }
}
