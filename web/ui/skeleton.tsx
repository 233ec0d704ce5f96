import { type ReactNode, useEffect, useState } from 'react'
import { classes } from './classes.ts'

const notBefore = 150
const atLeast = 300
const slow = 3000

/** One box of a loading page, in the size of what will stand there. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      className={classes(
        'relative overflow-hidden bg-sunken after:absolute after:inset-0 after:-translate-x-full after:animate-sweep',
        'after:bg-linear-[100deg,transparent_20%,color-mix(in_srgb,var(--surface)_75%,transparent)_50%,transparent_80%]',
        !className?.includes('rounded') && 'rounded-input',
        className,
      )}
    />
  )
}

/**
 * Holds the boxes of a part that loads: unseen for the first moment, and honest when it takes long.
 * @param props.atOnce for what was seen before already
 */
export function SkeletonRegion({ children, atOnce }: { children: ReactNode; atOnce?: boolean }) {
  const visible = useAfter(notBefore)
  const late = useAfter(slow)
  return (
    <div aria-busy="true" className="relative">
      {/* Lies over the boxes: what would push them down would push the content, too, when it comes. */}
      <p
        role="status"
        className={
          late
            ? 'absolute top-4 left-1/2 z-1 w-max -translate-x-1/2 rounded-full border border-border bg-surface px-4 py-1.5 text-label text-text-2 shadow-float'
            : 'sr-only'
        }
      >
        {late ? 'Still loading…' : visible ? 'Loading…' : ''}
      </p>
      <div aria-hidden="true" className={atOnce ? undefined : visible ? 'animate-fade' : 'invisible'}>
        {children}
      </div>
    </div>
  )
}

/** `pending`, held true until a skeleton that came into sight was there long enough to be seen. */
export function useSkeleton(pending: boolean): boolean {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!pending) return
    let release: ReturnType<typeof setTimeout> | undefined
    const hold = setTimeout(() => {
      setHeld(true)
      release = setTimeout(() => setHeld(false), atLeast)
    }, notBefore)
    return () => {
      clearTimeout(hold)
      // Once shown it is released by its own clock, not by the end of the loading.
      if (!release) setHeld(false)
    }
  }, [pending])
  return pending || held
}

function useAfter(milliseconds: number): boolean {
  const [reached, setReached] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReached(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return reached
}
