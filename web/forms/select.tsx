import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from '../ui/cx.ts'
import { formControlClassName } from './labelled-form-field.tsx'

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select
        {...rest}
        className={cx(
          formControlClassName,
          'min-h-13 appearance-none py-2 pr-11 pl-4 text-ellipsis whitespace-normal',
          className,
        )}
      />
      <ChevronDown
        size={20}
        strokeWidth={2}
        className="pointer-events-none absolute inset-y-0 right-3.5 my-auto text-text-2"
      />
    </div>
  )
}
