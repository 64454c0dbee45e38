print("concord")
