import type { ReactNode } from 'react'

export function EmptyState({
  title,
  text,
  children,
}: {
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-1.5 px-6 py-14 text-center">
      <TwoCards />
      <h2 className="heading mt-4.5 text-h2">{title}</h2>
      {text && <p className="max-w-[42ch] text-pretty text-text-2">{text}</p>}
      {children && <div className="mt-4">{children}</div>}
    </div>
  )
}

function TwoCards() {
  return (
    <svg width="96" height="72" viewBox="0 0 96 72" fill="none" aria-hidden="true">
      <rect
        x="4"
        y="10"
        width="52"
        height="56"
        rx="14"
        transform="rotate(-8 30 38)"
        className="fill-brand-soft"
      />
      <rect
        x="42"
        y="6"
        width="50"
        height="56"
        rx="14"
        transform="rotate(9 67 34)"
        className="fill-accent-soft"
      />
      <circle cx="37" cy="29" r="5" className="fill-brand" />
      <circle cx="60" cy="29" r="5" className="fill-accent" />
      <path d="M34 43c8 9 21 9 29 0" strokeWidth="5" strokeLinecap="round" className="stroke-brand" />
    </svg>
  )
}
