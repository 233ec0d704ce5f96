import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'

/** The bar is decorative, because a text also names the step. */
export function StepProgressBar({ step }: { step: number }) {
  return (
    <div aria-hidden className="mb-4.5 flex gap-1.5">
      {[1, 2, 3].map((each) => (
        <span
          key={each}
          className={cx('flex-1 rounded-full pt-1', each <= step ? 'bg-brand' : 'bg-border')}
        />
      ))}
    </div>
  )
}

type ButtonsProps = { back?: string; onBack?: () => void; children: ReactNode }

export function StepButtons({ back, onBack, children }: ButtonsProps) {
  return (
    <div className="mt-6 flex justify-end gap-2.5 max-md:flex-col-reverse">
      {back && (
        <Button kind="quiet" onClick={onBack}>
          {back}
        </Button>
      )}
      {children}
    </div>
  )
}
