package daily

// Layout returns the fleet of a day.
var Layout = dayLayout
