import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from '#web/appearance/prefers-reduced-motion.ts'

const openingDelayMs = 100
/** Within this distance from the end, the list follows new messages. */
const nearEndPx = 120
const nearTopPx = 200

/** The oldest rendered message, and its offset in pixels. */
type Anchor = { id: string; offset: number }

type Line = { $id: string; mine: boolean }

type Options = {
  lines: readonly Line[] | null
  onNearTop: () => void
  onFollow: () => void
}

/** A reader at the end sees new messages arrive; elsewhere, the visible messages do not move. */
export function useMessageListScroll({ lines, onNearTop, onFollow }: Options) {
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const lastTop = useRef(0)
  const lastRoom = useRef('')
  const newestSeen = useRef<string>(undefined)
  const oldest = useRef<Anchor>(undefined)
  const [placed, setPlaced] = useState(false)
  const [unseen, setUnseen] = useState(0)
  const loaded = lines !== null

  const toEnd = useCallback((behavior: ScrollBehavior) => {
    follows.current = true
    box.current?.scrollTo({ top: box.current.scrollHeight, behavior })
  }, [])

  useEffect(() => {
    if (!loaded) return
    const timer = setTimeout(() => {
      toEnd('instant')
      setPlaced(true)
    }, openingDelayMs)
    return () => clearTimeout(timer)
  }, [loaded, toEnd])

  useLayoutEffect(() => {
    const list = box.current
    if (!list || !lines) return
    oldest.current = restoreAnchor(list, oldest.current, lines[0]?.$id)
    const newest = lines.at(-1)?.$id
    if (placed && newest !== newestSeen.current) {
      const seen = lines.findIndex(({ $id }) => $id === newestSeen.current)
      const added = seen < 0 && newestSeen.current ? [] : lines.slice(seen + 1)
      if (follows.current || added.some(({ mine }) => mine)) {
        toEnd(gently())
        onFollow()
      } else setUnseen((before) => before + added.length)
    }
    newestSeen.current = newest
    if (placed && list.scrollTop < nearTopPx) onNearTop()
  }, [lines, placed, onNearTop, onFollow, toEnd])

  // Keeps the end visible when the text field, the keyboard or the orientation changes the size.
  useEffect(() => {
    const list = box.current
    if (!list) return
    const observer = new ResizeObserver(() => {
      lastRoom.current = roomOf(list)
      if (follows.current) list.scrollTop = list.scrollHeight
    })
    observer.observe(list)
    return () => observer.disconnect()
  }, [])

  const keepEnd = useCallback(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [])

  function onScroll() {
    const list = box.current
    // A resize scrolls the list before the observer runs.
    if (!list || roomOf(list) !== lastRoom.current) return
    const toGo = list.scrollHeight - list.clientHeight - list.scrollTop
    if (toGo <= nearEndPx) {
      follows.current = true
      setUnseen(0)
    } else if (list.scrollTop < lastTop.current) follows.current = false
    lastTop.current = list.scrollTop
    if (placed && list.scrollTop < nearTopPx) onNearTop()
  }

  return { box, placed, unseen, onScroll, keepEnd, goToEnd: () => toEnd(gently()) }
}

const gently = (): ScrollBehavior => (prefersReducedMotion() ? 'instant' : 'smooth')

const roomOf = ({ clientWidth, clientHeight }: HTMLElement) => `${clientWidth} ${clientHeight}`

const lineOf = (list: HTMLElement, id: string) =>
  list.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)

function restoreAnchor(
  list: HTMLElement,
  before: Anchor | undefined,
  first: string | undefined,
): Anchor | undefined {
  const was = before && before.id !== first ? lineOf(list, before.id) : null
  if (before && was) list.scrollTop += was.offsetTop - before.offset
  const line = first === undefined ? null : lineOf(list, first)
  return line && first !== undefined ? { id: first, offset: line.offsetTop } : undefined
}
