import { type ReactNode, useEffect, useRef, useState } from 'react'
import { en } from '#contract/language.ts'
import { cx } from './cx.ts'

type Props = {
  text: ReactNode
  cut: string
  className?: string
}

export function ExpandableText({ text, cut, className }: Props) {
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [open, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)

  useEffect(() => {
    const shown = paragraph.current
    if (!shown || open) return
    const measure = new ResizeObserver(() => setCut(shown.scrollHeight > shown.clientHeight + 1))
    measure.observe(shown)
    return () => measure.disconnect()
  }, [open])

  return (
    <>
      <p
        ref={paragraph}
        dir="auto"
        className={cx('text-pretty whitespace-pre-line [overflow-wrap:anywhere]', className, !open && cut)}
      >
        {text}
      </p>
      {isCut && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="hit-44 -mx-1 min-h-9 px-1 text-label font-[620] text-text-2 hover:text-text"
        >
          {open ? en('less', 'menos') : en('more', 'más')}
        </button>
      )}
    </>
  )
}
