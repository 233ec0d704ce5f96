import { useEffect, useRef, useState } from 'react'
import { classes } from '#web/ui/classes.ts'

/** Four lines of it; "more" shows the rest where there is one. */
export function Caption({ text }: { text: string }) {
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [open, setOpen] = useState(false)
  const [cut, setCut] = useState(false)

  useEffect(() => {
    const shown = paragraph.current
    if (!shown || open) return
    const measure = new ResizeObserver(() => setCut(shown.scrollHeight > shown.clientHeight + 1))
    measure.observe(shown)
    return () => measure.disconnect()
  }, [open])

  return (
    <div className="px-2 pt-0.5">
      <p
        ref={paragraph}
        dir="auto"
        className={classes(
          'text-body leading-[23px] text-pretty whitespace-pre-line [overflow-wrap:anywhere]',
          !open && 'line-clamp-4',
        )}
      >
        {text}
      </p>
      {cut && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="hit-44 -mx-1 min-h-9 px-1 text-label font-[620] text-text-2 hover:text-text"
        >
          {open ? 'less' : 'more'}
        </button>
      )}
    </div>
  )
}
