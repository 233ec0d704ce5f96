/** Placeholders appear late, to avoid flashes, and stay long enough to be seen. */

import { type ReactNode, useEffect, useState } from 'react'
import { en } from '#contract/language.ts'
import { cx } from './cx.ts'

const showAfterMs = 150
const minShownMs = 300
const slowAfterMs = 3000

export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      className={cx(
        'relative overflow-hidden bg-sunken after:absolute after:inset-0 after:-translate-x-full after:animate-sweep',
        'after:bg-linear-[100deg,transparent_20%,color-mix(in_srgb,var(--surface)_75%,transparent)_50%,transparent_80%]',
        !className?.includes('rounded') && 'rounded-input',
        className,
      )}
    />
  )
}

/** @param props.atOnce shows the boxes immediately, for a screen without a title or previous content */
export function SkeletonRegion({ children, atOnce }: { children: ReactNode; atOnce?: boolean }) {
  const visible = useAfter(showAfterMs)
  const late = useAfter(slowAfterMs)
  return (
    <div aria-busy="true" className="relative">
      {/* The note overlays the boxes, so that it does not shift the content. */}
      <p
        role="status"
        className={
          late
            ? 'absolute top-4 left-1/2 z-1 w-max -translate-x-1/2 rounded-full border border-border bg-surface px-4 py-1.5 text-label text-text-2 shadow-float'
            : 'sr-only'
        }
      >
        {late ? en('Still loading…', 'Sigue cargando…') : visible ? en('Loading…', 'Cargando…') : ''}
      </p>
      <div aria-hidden="true" className={atOnce ? undefined : visible ? 'animate-fade' : 'invisible'}>
        {children}
      </div>
    </div>
  )
}

/** Stays true until a visible skeleton has been shown long enough. */
export function useSkeletonVisibility(pending: boolean): boolean {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!pending) return
    let release: ReturnType<typeof setTimeout> | undefined
    const hold = setTimeout(() => {
      setHeld(true)
      release = setTimeout(() => setHeld(false), minShownMs)
    }, showAfterMs)
    return () => {
      clearTimeout(hold)
      // A visible skeleton's own timer releases it, not the end of loading.
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
