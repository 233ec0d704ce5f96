import type { ComponentProps } from 'react'
import { cx } from '#web/ui/cx.ts'
import './checkbox.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  /** Round, of the people that are chosen from a list. */
  round?: boolean
}

/** A native checkbox with the product's corners and tick. */
export const Checkbox = ({ round, ...props }: Props) => (
  <input {...props} type="checkbox" className={cx('checkbox', round && 'checkbox-round')} />
)
