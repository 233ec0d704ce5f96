import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'

export type Figure = {
  label: string
  value: ReactNode
  text?: ReactNode
  color?: 'warning' | 'danger' | undefined
}

const colors = { warning: 'text-warning', danger: 'text-danger' }

export function FiguresBox({ title, figures }: { title: string; figures: readonly Figure[] }) {
  return (
    <section aria-label={title} className="card mb-4 px-4 py-4 md:px-5">
      <h2 className="heading mb-3 text-lead">{title}</h2>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-x-6 gap-y-4">
        {figures.map(({ label, value, text, color }) => (
          <div key={label} className="min-w-0">
            <dt className="text-label text-text-2">{label}</dt>
            <dd className={cx('font-[640] tabular-nums wrap-anywhere', color && colors[color])}>{value}</dd>
            {text && <dd className="text-pretty text-meta text-text-2 wrap-anywhere">{text}</dd>}
          </div>
        ))}
      </dl>
    </section>
  )
}
