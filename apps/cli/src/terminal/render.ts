export {
  bytesText,
  countedText,
  countsText,
  countText,
  percentText,
  timeText,
} from '@ctx/core/encoding';
