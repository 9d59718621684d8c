def signs(): return "見"
