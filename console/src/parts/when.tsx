import { useFormats } from '../words/words.tsx';

const dayMs = 86_400_000;

interface WhenProps {
  time: string;
  /** `moment`: 14 Nov, 10:41. `date`: 31 March 2027. `ago`: 12 minutes ago under a day, else a moment. */
  as?: 'moment' | 'date' | 'ago';
}

/** A time in the reader's language and zone. The whole of it shows when one points at it. */
export function When({ time, as = 'moment' }: WhenProps) {
  const formats = useFormats();
  const isNear = Math.abs(Date.parse(time) - Date.now()) < dayMs;
  const text =
    as === 'date' ? formats.date(time) : as === 'ago' && isNear ? formats.relative(time) : formats.moment(time);
  return (
    <time dateTime={time} title={`${formats.date(time)}, ${formats.time(time)}`} className="figure">
      {text}
    </time>
  );
}
