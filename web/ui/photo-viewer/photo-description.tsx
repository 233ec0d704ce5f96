import { useEffect, useRef, useState } from 'react'

export function PhotoDescription({ text }: { text: string }) {
  const words = useRef<HTMLDivElement>(null)
  const [long, setLong] = useState(false)

  useEffect(() => {
    const shown = words.current
    if (!shown) return
    const measure = new ResizeObserver(() => setLong(shown.scrollHeight > shown.clientHeight + 1))
    measure.observe(shown)
    return () => measure.disconnect()
  }, [])

  return (
    <div ref={words} data-description tabIndex={long ? 0 : undefined}>
      <p dir="auto">
        <abbr aria-hidden>ALT</abbr>
        {text}
      </p>
    </div>
  )
}
