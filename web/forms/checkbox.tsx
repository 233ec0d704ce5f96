import type { ComponentProps } from 'react'
import { cx } from '#web/ui/cx.ts'
import './checkbox.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  round?: boolean
}

export const Checkbox = ({ round, ...props }: Props) => (
  <input {...props} type="checkbox" className={cx('checkbox', round && 'checkbox-round')} />
)
