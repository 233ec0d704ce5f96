import type { ComponentProps } from 'react'
import { cx } from '#web/ui/cx.ts'
import './checkbox.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  /** Whether the checkbox is round, for choosing people. */
  round?: boolean
}

/** A native checkbox in the style of the app. */
export const Checkbox = ({ round, ...props }: Props) => (
  <input {...props} type="checkbox" className={cx('checkbox', round && 'checkbox-round')} />
)
