import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Spec §9: how long after opening the thread stands at its end. */
const openingDelay = 100
/** Conflict C-17: nearer to the end than this, new messages carry her along. */
const nearEnd = 120
const nearTop = 200

/** Where the first line of all stood. */
type Place = { id: string; offset: number }

type Line = { $id: string; mine: boolean }

type Options = {
  /** Null while nothing is loaded. */
  lines: readonly Line[] | null
  onNearTop: () => void
  /** Something new came, and she goes along with it to the end. */
  onFollow: () => void
}

/** Where a thread stands: at its end when opened and as it grows, still while she reads further up. */
export function useThreadScroll({ lines, onNearTop, onFollow }: Options) {
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const lastTop = useRef(0)
  const lastRoom = useRef('')
  const newestSeen = useRef<string>(undefined)
  const oldest = useRef<Place>(undefined)
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
    }, openingDelay)
    return () => clearTimeout(timer)
  }, [loaded, toEnd])

  useLayoutEffect(() => {
    const list = box.current
    if (!list || !lines) return
    oldest.current = keepPlace(list, oldest.current, lines[0]?.$id)
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
    if (placed && list.scrollTop < nearTop) onNearTop()
  }, [lines, placed, onNearTop, onFollow, toEnd])

  // The composer grows, the keyboard opens, the phone is turned: the end stays in sight.
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

  function onScroll() {
    const list = box.current
    // Another size moves what stands in it before the observer hears: that is not her scrolling.
    if (!list || roomOf(list) !== lastRoom.current) return
    const toGo = list.scrollHeight - list.clientHeight - list.scrollTop
    if (toGo <= nearEnd) {
      follows.current = true
      setUnseen(0)
    } else if (list.scrollTop < lastTop.current) follows.current = false
    lastTop.current = list.scrollTop
    if (placed && list.scrollTop < nearTop) onNearTop()
  }

  return { box, placed, unseen, onScroll, goToEnd: () => toEnd(gently()) }
}

const gently = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'

const roomOf = ({ clientWidth, clientHeight }: HTMLElement) => `${clientWidth} ${clientHeight}`

const lineOf = (list: HTMLElement, id: string) =>
  list.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)

/** What is put above must not move what she reads. */
function keepPlace(
  list: HTMLElement,
  before: Place | undefined,
  first: string | undefined,
): Place | undefined {
  const was = before && before.id !== first ? lineOf(list, before.id) : null
  if (before && was) list.scrollTop += was.offsetTop - before.offset
  const line = first === undefined ? null : lineOf(list, first)
  return line && first !== undefined ? { id: first, offset: line.offsetTop } : undefined
}
